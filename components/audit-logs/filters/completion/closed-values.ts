import {
  type FilterName,
  filterFields,
  type Known,
  type KnownValues,
} from "@/components/audit-logs/filters/filter-fields";
import { actions } from "@/lib/http/actions";
import { errorStatus } from "@/lib/http/errors";

const plain = (values: readonly string[]): Known[] => values.map((value) => ({ value }));

/** Closed lists without labels. They are long and only completion needs them, so they are not part of the first load. */
const unlabelled: Partial<Record<FilterName, readonly Known[]>> = {
  status: plain([
    "2xx",
    "3xx",
    "4xx",
    "5xx",
    "200",
    "201",
    "400",
    "401",
    "403",
    "404",
    "409",
    "413",
    "429",
    "499",
    "500",
    "503",
  ]),
  method: plain(["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"]),
  action: plain(actions),
  error_code: plain(Object.keys(errorStatus)),
  resource_type: plain([...new Set(actions.map((action) => action.split(".", 1)[0] ?? ""))]),
};

/** The only values of a filter; undefined if they come from the organization or are free text. */
export function closedValues(name: FilterName): readonly Known[] | undefined {
  return filterFields[name].values ?? unlabelled[name];
}

/** All values of a filter that can be selected. */
export function knownOf(name: FilterName, known: KnownValues): readonly Known[] {
  return closedValues(name) ?? known[name] ?? [];
}
