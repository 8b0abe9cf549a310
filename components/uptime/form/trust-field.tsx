"use client";

import { listTrustStores } from "@/components/certificates/queries";
import { useQuery } from "@/components/requests/use-query";
import { Field, Select } from "@/components/ui/field";
import { NOT_VERIFIED } from "@/components/uptime/form/monitor-fields";

/** Which certificates an https monitor accepts: `value` is empty, a trust store's id, or NOT_VERIFIED. */
export function TrustField({
  value,
  error,
  onChange,
}: {
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}) {
  const stores = useQuery({ queryKey: ["trust-stores"], queryFn: listTrustStores });
  const isUnlisted = value !== "" && value !== NOT_VERIFIED && !stores.data?.some(({ id }) => id === value);
  return (
    <Field
      label="Accepted certificates"
      error={error}
      hint={
        value === NOT_VERIFIED
          ? "The monitor is up even if the certificate has expired or belongs to somebody else."
          : undefined
      }
    >
      {(control) => (
        <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">From public authorities</option>
          {isUnlisted && <option value={value}>Also from the current trust store</option>}
          {stores.data?.map(({ id, name }) => (
            <option key={id} value={id}>
              Also from {name}
            </option>
          ))}
          <option value={NOT_VERIFIED}>Any: do not verify</option>
        </Select>
      )}
    </Field>
  );
}
