"use client";

import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { refusesDownload } from "@/components/requests/downloads";
import { buttonClass } from "@/components/ui/button-class";

/** A link that downloads a file, named `name` unless the server sets a name. */
export function DownloadLink({ href, name = "", children }: { href: string; name?: string; children: ReactNode }) {
  return (
    <a
      href={href}
      download={name}
      className={buttonClass()}
      onClick={(event) => {
        if (refusesDownload(href)) event.preventDefault();
      }}
    >
      <Download size={13} aria-hidden="true" />
      {children}
    </a>
  );
}
