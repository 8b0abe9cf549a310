"use client";

import { Download, RotateCw } from "lucide-react";
import Link from "next/link";
import { usePathname, useRouter } from "next/navigation";
import { useTransition } from "react";
import { hrefWith } from "@/components/audit-logs/view";
import { Button, buttonClass } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { Menu, MenuItem, MenuLabel } from "@/components/ui/menu";

/** Read the list again, keep it live, or take it away as a file. */
export function ListActions({
  params,
  live,
  canBeLive,
  exportQuery,
}: {
  params: Record<string, string>;
  live: boolean;
  canBeLive: boolean;
  exportQuery: string;
}) {
  const path = usePathname();
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  return (
    <>
      {canBeLive && (
        <Link
          prefetch={false}
          replace
          scroll={false}
          href={hrefWith(path, params, { live: live ? null : "1" })}
          title={live ? "New entries come in on top. Stop" : "Let new entries come in on top"}
          className={cx(buttonClass(), live ? "text-seal!" : "text-second!")}
        >
          <span className={cx("size-2 rounded-full bg-current", live && "animate-pulse")} aria-hidden="true" />
          Live<span className="sr-only">{live ? " is on: stop it" : " is off: start it"}</span>
        </Link>
      )}
      <Button
        icon
        aria-label="Read the list again"
        title="Read the list again"
        pending={pending}
        onClick={() => startTransition(() => router.refresh())}
      >
        {!pending && <RotateCw size={13} aria-hidden="true" />}
      </Button>
      <Menu
        trigger={
          <Button icon aria-label="Export" title="Export">
            <Download size={13} aria-hidden="true" />
          </Button>
        }
      >
        <MenuLabel>All that fit, oldest first</MenuLabel>
        {(["csv", "json", "ndjson"] as const).map((format) => (
          <MenuItem
            key={format}
            onSelect={() => window.location.assign(`/api/v1/audit-logs/export?format=${format}${exportQuery}`)}
          >
            {format.toUpperCase()}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
