"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { activityPath } from "@/components/organizations/activity-path";
import { useRemoveMember, useSelfServiceAction, useUpdateMember } from "@/components/organizations/queries";
import { RowMenu } from "@/components/table/row-menu";
import { Confirm } from "@/components/ui/confirm";
import { MenuItem, MenuLine } from "@/components/ui/menu";
import { showToast } from "@/components/ui/toast";
import type { Member } from "@/lib/organizations/contract";

type Action = "permission" | "remove" | "leave";

interface Props {
  organizationId: string;
  member: Member;
  /** Whether the member is the signed-in person. */
  isSelf: boolean;
  /** Whether the organization has no other admin. */
  isLastAdmin: boolean;
  reason: string | null;
}

/** The actions for a member. */
export function MemberMenu({ organizationId, member, isSelf, isLastAdmin, reason }: Props) {
  const [action, setAction] = useState<Action | null>(null);
  const router = useRouter();
  const lone = isLastAdmin ? "This is the only admin. Make another member an admin first." : null;
  const off = reason ?? lone;
  const offToGo = isSelf ? lone : off;
  const why = isSelf && lone === null ? reason : off;
  return (
    <>
      <RowMenu name={member.name} reason={why}>
        <MenuItem onSelect={() => router.push(activityPath(member.user_id))}>View activity</MenuItem>
        <MenuLine />
        <MenuItem disabled={off !== null} onSelect={() => setAction("permission")}>
          {member.permission === "admin" ? "Make read only…" : "Make admin…"}
        </MenuItem>
        <MenuItem
          danger={offToGo === null}
          disabled={offToGo !== null}
          onSelect={() => setAction(isSelf ? "leave" : "remove")}
        >
          {isSelf ? "Leave…" : "Remove…"}
        </MenuItem>
      </RowMenu>
      {action === "permission" && (
        <ChangePermission {...{ organizationId, member, isSelf }} onClose={() => setAction(null)} />
      )}
      {(action === "remove" || action === "leave") && (
        <Remove {...{ organizationId, member, isSelf }} onClose={() => setAction(null)} />
      )}
    </>
  );
}

type DialogProps = Pick<Props, "organizationId" | "member" | "isSelf"> & { onClose: () => void };

function ChangePermission({ organizationId, member, isSelf, onClose }: DialogProps) {
  const update = useUpdateMember();
  const next = member.permission === "admin" ? "read" : "admin";
  const who = isSelf ? "You" : member.name;
  const onSuccess = () => {
    showToast(next === "admin" ? `${member.name} is now an admin.` : `${member.name} now has read permission.`);
    onClose();
  };
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={next === "admin" ? `Make ${member.name} an admin?` : `Make ${member.name} read only?`}
      action={next === "admin" ? "Make admin" : "Make read only"}
      pending={update.isPending}
      error={update.error}
      onConfirm={() => update.mutate({ id: organizationId, user_id: member.user_id, permission: next }, { onSuccess })}
    >
      <p>
        {next === "admin"
          ? `${who} can change everything from the next request on, including keys, members and the plan.`
          : `${who} can view everything but change nothing from the next request on.`}
      </p>
    </Confirm>
  );
}

function Remove({ organizationId, member, isSelf, onClose }: DialogProps) {
  const remove = useRemoveMember();
  const leave = useSelfServiceAction<{ organization_id: string }>("leave-organization");
  const { isPending, error } = isSelf ? leave : remove;
  const go = () => {
    if (isSelf) return leave.mutate({ organization_id: organizationId }, { onSuccess: () => location.assign("/") });
    const onSuccess = () => {
      showToast(`${member.name} was removed.`);
      onClose();
    };
    remove.mutate({ id: organizationId, user_id: member.user_id }, { onSuccess });
  };
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={isSelf ? "Leave the organization?" : `Remove ${member.name}?`}
      action={isSelf ? "Leave organization" : "Remove member"}
      pending={isPending}
      error={error}
      onConfirm={go}
    >
      <p>
        {isSelf ? "You lose" : "They lose"} access immediately. API keys that {isSelf ? "you" : "they"} created keep
        working: check who has their secrets.
      </p>
    </Confirm>
  );
}
