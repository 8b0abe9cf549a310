/** The log that a checkpoint belongs to. Slots count from 0, epochs from 1. */
interface LogOrigin {
  host: string;
  organizationId: string;
  slot: number;
  epoch: number;
}

const NUMBER = "(0|[1-9]\\d{0,15})";
const ORGANIZATION = new RegExp(`^([^/]+)/log/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/${NUMBER}/${NUMBER}$`);
const INSTALLATION = new RegExp(`^([^/]+)/log/${NUMBER}$`);

/** The host of the origins: of PUBLIC_URL, lower case, punycode, with the port unless it is the scheme's default. */
export function originHost(publicUrl: string): string {
  return new URL(publicUrl).host;
}

/** `<host>/log/<organization id>/<slot>/<epoch>`. */
export function organizationOrigin({ host, organizationId, slot, epoch }: LogOrigin): string {
  return `${host}/log/${organizationId}/${slot}/${epoch}`;
}

/** `<host>/log/<epoch>`: the log of the installation's heads. */
export function installationOrigin(host: string, epoch: number): string {
  return `${host}/log/${epoch}`;
}

/** The parts of an organization's origin, or null. */
export function parseOrganizationOrigin(origin: string): LogOrigin | null {
  const [, host, organizationId, slot, epoch] = ORGANIZATION.exec(origin) ?? [];
  if (host === undefined || organizationId === undefined || !isNumber(slot) || !isNumber(epoch)) return null;
  return Number(epoch) < 1 ? null : { host, organizationId, slot: Number(slot), epoch: Number(epoch) };
}

/** The parts of an installation's origin, or null. */
export function parseInstallationOrigin(origin: string): Pick<LogOrigin, "host" | "epoch"> | null {
  const [, host, epoch] = INSTALLATION.exec(origin) ?? [];
  return host === undefined || !isNumber(epoch) || Number(epoch) < 1 ? null : { host, epoch: Number(epoch) };
}

function isNumber(text: string | undefined): boolean {
  return text !== undefined && Number.isSafeInteger(Number(text));
}
