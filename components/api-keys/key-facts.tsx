import { KeyStatus } from "@/components/api-keys/table/api-keys-table";
import { RotationDue } from "@/components/api-keys/table/key-cells";
import { Ago, Time } from "@/components/time/time";
import { Definition, DefinitionGroup } from "@/components/ui/definition-list";
import type { ApiKey } from "@/lib/api-keys/contract";
import { scopeLabels } from "@/lib/auth/scopes";

/** The details of a key. */
export function KeyFacts({ apiKey }: { apiKey: ApiKey }) {
  const { status, permission, scope, ip_whitelist, expires_at, revoked_at, last_used_at, last_used_ip } = apiKey;
  const issuedAt = apiKey.rotated_at ?? apiKey.created_at;
  return (
    <div className="min-w-0">
      <DefinitionGroup>
        <Definition name="Status">
          <KeyStatus status={status} />
          {revoked_at && (
            <span className="text-second">
              {" "}
              · since <Time value={revoked_at} />
            </span>
          )}
        </Definition>
        <Definition name="Last used">
          {last_used_at && (
            <>
              <Ago value={last_used_at} />
              {last_used_ip && (
                <span className="text-second">
                  {" "}
                  · <span className="font-mono text-sm">{last_used_ip}</span>
                </span>
              )}
            </>
          )}
        </Definition>
        <Definition name="Permission">
          {permission}
          <span className="text-second">
            {" "}
            ·{" "}
            {permission !== "admin" ? "GET only" : scope === null ? "reads and changes everything" : "for one purpose"}
          </span>
        </Definition>
        {scope !== null && <Definition name="Scope">{scopeLabels[scope]}</Definition>}
        <Definition name="Allowed from" mono={ip_whitelist.length > 0}>
          {ip_whitelist.length === 0
            ? "any address"
            : ip_whitelist.map((entry) => (
                <span key={entry} className="mr-3 inline-block">
                  {entry}
                </span>
              ))}
        </Definition>
        <Definition name="Expires">{expires_at ? <Time value={expires_at} /> : "never"}</Definition>
      </DefinitionGroup>
      <DefinitionGroup title="Secret">
        <Definition name="Secret" mono>
          {apiKey.hint}
        </Definition>
        <Definition name="Issued">
          <Time value={issuedAt} />
        </Definition>
        {status === "active" && (
          <Definition name="Rotation due">
            <RotationDue at={apiKey.rotation_due_at} />
          </Definition>
        )}
        <Definition name="Key created">
          <Time value={apiKey.created_at} style="day" />
          <span className="text-second"> by {apiKey.created_by.name}</span>
        </Definition>
      </DefinitionGroup>
    </div>
  );
}
