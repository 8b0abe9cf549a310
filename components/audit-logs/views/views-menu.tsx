"use client";

import { Bookmark, ChevronDown } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { shownView } from "@/components/audit-logs/views/saved-views";
import { Button } from "@/components/ui/button";
import { Menu, MenuGroup, MenuItem, MenuLabel, MenuLine } from "@/components/ui/menu";
import type { AuditView } from "@/lib/audit-views/contract";

const SaveView = lazy(async () => ({ default: (await import("@/components/audit-logs/views/save-view")).SaveView }));
const ManageViews = lazy(async () => ({
  default: (await import("@/components/audit-logs/views/manage-views")).ManageViews,
}));

const groups = [
  { scope: "personal", label: "Yours" },
  { scope: "organization", label: "Organization" },
] as const;

/** Lists the saved views and saves the current one. `readOnly` is the reason why saving is disabled. */
export function ViewsMenu({
  views: saved,
  readOnly,
  canMail,
}: {
  views: AuditView[];
  readOnly: string | null;
  /** Whether this installation can send e-mail. */
  canMail: boolean;
}) {
  // Changes to saved views do not reload the list, because the reader would lose their position.
  const [views, setViews] = useState(saved);
  const { params, show } = useExplorerView();
  const [dialog, setDialog] = useState<"save" | "manage" | null>(null);
  const shown = shownView(views, params);
  const close = () => setDialog(null);
  const keep = (view: AuditView) => setViews((before) => [view, ...before.filter(({ id }) => id !== view.id)]);
  const drop = (view: AuditView) => setViews((before) => before.filter(({ id }) => id !== view.id));
  return (
    <>
      <Menu
        trigger={
          <Button aria-label={shown ? `Saved views: ${shown.name}` : "Saved views"} className="max-w-52">
            <Bookmark size={13} aria-hidden="true" className={shown ? "fill-seal text-seal" : "text-third"} />
            <span className="truncate">{shown?.name ?? "Views"}</span>
            <ChevronDown size={13} className="shrink-0 text-third" aria-hidden="true" />
          </Button>
        }
      >
        {views.length === 0 && <MenuLabel>No saved views yet.</MenuLabel>}
        {groups.map(({ scope, label }) => {
          const some = views.filter((view) => view.scope === scope);
          if (some.length === 0) return null;
          return (
            <MenuGroup key={scope} label={label}>
              {some.map((view) => (
                <MenuItem key={view.id} onSelect={() => show(view.query)}>
                  <span className="max-w-72 truncate">{view.name}</span>
                </MenuItem>
              ))}
            </MenuGroup>
          );
        })}
        <MenuLine />
        <MenuItem disabled={readOnly !== null} onSelect={() => setDialog("save")}>
          Save current view…
        </MenuItem>
        {views.length > 0 && (
          <MenuItem disabled={readOnly !== null} onSelect={() => setDialog("manage")}>
            Manage saved views…
          </MenuItem>
        )}
        {readOnly && (
          <MenuLabel>
            <span className="block max-w-64 whitespace-normal">{readOnly}</span>
          </MenuLabel>
        )}
      </Menu>
      <Suspense>
        {dialog === "save" && <SaveView onSaved={keep} onClose={close} />}
        {dialog === "manage" && (
          <ManageViews views={views} canMail={canMail} onChanged={keep} onDeleted={drop} onClose={close} />
        )}
      </Suspense>
    </>
  );
}
