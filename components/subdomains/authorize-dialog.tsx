"use client";

import Link from "next/link";
import { failureOf } from "@/components/states/failure";
import { FormFailure } from "@/components/states/form-failure";
import { useAuthorizeIssuance } from "@/components/subdomains/queries";
import { Button } from "@/components/ui/button";
import { Definition, DefinitionGroup } from "@/components/ui/definition-list";
import { CancelButton, Dialog, DialogButtons } from "@/components/ui/dialog";
import { showToast } from "@/components/ui/toast";
import type { Issuance } from "@/lib/subdomains/contract";

/** Asks whether to authorize only this certificate, or every certificate with its key. */
export function AuthorizeDialog({ issuance, onClose }: { issuance: Issuance; onClose: () => void }) {
  const { id, names, issuer, public_key_sha256 } = issuance;
  const authorize = useAuthorizeIssuance();
  const send = (remember_key: boolean) =>
    authorize.mutate(
      { id, remember_key },
      {
        onSuccess: () => {
          showToast(remember_key ? "Certificates of this key are yours from now on." : "The certificate is yours.");
          onClose();
        },
      },
    );
  return (
    <Dialog open onOpenChange={onClose} title="Is this certificate yours?">
      <div className="grid gap-3">
        <p className="text-pretty text-second">
          Confirm this only if you know who obtained it. Its alert is then resolved. Clients can also hand in the
          certificates that they obtain: see the{" "}
          <Link href="/api-reference/certificate_hand_in" className="text-seal underline">
            API reference
          </Link>
          .
        </p>
        <DefinitionGroup>
          <Definition name="Names" mono>
            {names.slice(0, 5).join(" ")}
            {names.length > 5 && ` and ${names.length - 5} more`}
          </Definition>
          <Definition name="Issuer">{issuer}</Definition>
          <Definition name="Key (SHA-256)" mono>
            {public_key_sha256 === null ? null : <span className="break-all">{public_key_sha256}</span>}
          </Definition>
        </DefinitionGroup>
        <FormFailure error={authorize.error} message={failureOf(authorize.error).message} />
      </div>
      <DialogButtons>
        <CancelButton onClick={onClose} />
        {public_key_sha256 !== null && (
          <Button pending={authorize.isPending} onClick={() => send(true)}>
            Authorize this key
          </Button>
        )}
        <Button kind="primary" pending={authorize.isPending} onClick={() => send(false)}>
          Authorize certificate
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
