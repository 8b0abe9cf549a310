import { dayName } from "@/components/time/time-format";
import { Note } from "@/components/ui/note";
import { clientAuthEnds } from "@/lib/certificates/judge/client-auth-ends";

/** When public authorities stop issuing certificates for client authentication, above the list of those that have it. */
export function ClientAuthNote() {
  return (
    <div className="px-4 pb-3 sm:px-5">
      <Note tone="plain">
        <p>
          Public authorities stop issuing certificates for client authentication. A renewal from then on is for servers
          only, so servers reject it as a client certificate: get client certificates from a private authority.
        </p>
        <ul className="mt-1 flex flex-wrap gap-x-5">
          {clientAuthEnds.map(({ authority, on, source }) => (
            <li key={authority}>
              {authority}:{" "}
              <a href={source} target="_blank" rel="noreferrer" className="tabular-nums underline hover:text-ink">
                {dayName(on)}
              </a>
            </li>
          ))}
        </ul>
      </Note>
    </div>
  );
}
