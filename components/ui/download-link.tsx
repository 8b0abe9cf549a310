import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { buttonClass } from "@/components/ui/button";

/** A button that takes a file away, called `name` where the server does not say. */
export function DownloadLink({ href, name = "", children }: { href: string; name?: string; children: ReactNode }) {
  return (
    <a href={href} download={name} className={buttonClass()}>
      <Download size={13} aria-hidden="true" />
      {children}
    </a>
  );
}
