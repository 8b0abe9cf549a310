"use client";

import { Download } from "lucide-react";
import { bodyBytes } from "@/components/audit-logs/entry/body-view";
import { saveFile } from "@/components/requests/downloads";
import { Button } from "@/components/ui/button";

/** Downloads the body exactly as it was submitted. */
export function DownloadBody({ id, body, encoding }: { id: string; body: string; encoding: "utf8" | "base64" }) {
  return (
    <Button
      kind="quiet"
      onClick={() =>
        saveFile(new Blob([bodyBytes(body, encoding)], { type: "application/octet-stream" }), `${id}.body`)
      }
    >
      <Download size={13} aria-hidden="true" />
      Download body
    </Button>
  );
}
