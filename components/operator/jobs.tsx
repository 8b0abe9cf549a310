import { Nothing, Part } from "@/components/operator/part";
import { Data, Head, Row, Table, wrapsOnPhones } from "@/components/table/table";
import { Ago } from "@/components/time/time";
import type { JobState } from "@/lib/operator/read-processes";

/** The background jobs with their last run and last error in any worker of the last hour. */
export function Jobs({ jobs }: { jobs: readonly JobState[] | null }) {
  if (jobs === null) return <Part title="Jobs">{null}</Part>;
  return (
    <Part title="Jobs">
      {jobs.length === 0 ? (
        <Nothing>No worker has run in the last hour.</Nothing>
      ) : (
        <Table
          label="Jobs"
          head={
            <>
              <Head className="w-72 max-sm:w-40">Job</Head>
              <Head className="w-36 max-sm:w-28">Last run</Head>
              <Head className="w-24 max-md:hidden" numeric>
                Took
              </Head>
              <Head>Last error</Head>
            </>
          }
        >
          {jobs.map(({ name, last_run_at, duration_ms, last_error, last_error_at }) => (
            <Row key={name}>
              <Data className={wrapsOnPhones}>{name}</Data>
              <Data className={wrapsOnPhones}>
                <Ago value={last_run_at} />
              </Data>
              <Data numeric className="max-md:hidden">
                {duration_ms} ms
              </Data>
              <Data className={wrapsOnPhones}>
                {last_error !== null && last_error_at !== null ? (
                  <span className="text-bad" title={last_error}>
                    <Ago value={last_error_at} />: {last_error}
                  </span>
                ) : (
                  <span className="text-third">—</span>
                )}
              </Data>
            </Row>
          ))}
        </Table>
      )}
    </Part>
  );
}
