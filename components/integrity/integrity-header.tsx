import { BundleButton } from "@/components/integrity/bundle-button";
import { DownloadLink } from "@/components/ui/download-link";
import { PageHeader } from "@/components/ui/page-header";

/** The heading of the page, with its downloads. */
export function IntegrityHeader() {
  return (
    <PageHeader
      title="Integrity"
      actions={
        <>
          <BundleButton />
          <DownloadLink href="/sealwatch-verify.mjs">Download verifier</DownloadLink>
        </>
      }
    >
      Shows that no entry of the audit log was changed, removed or inserted after it was sealed.
    </PageHeader>
  );
}
