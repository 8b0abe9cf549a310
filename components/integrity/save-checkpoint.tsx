"use client";

import { Download } from "lucide-react";
import { saveFile } from "@/components/requests/downloads";
import { Button } from "@/components/ui/button";

/** Saves a signed checkpoint of `size` entries as a file. */
export function SaveCheckpoint({ checkpoint, size }: { checkpoint: string; size: number }) {
  return (
    <Button onClick={() => saveFile(new Blob([checkpoint], { type: "text/plain" }), `checkpoint-${size}.txt`)}>
      <Download size={13} aria-hidden="true" />
      Download checkpoint
    </Button>
  );
}
