import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { PrismaPg } from "@prisma/adapter-pg";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";

const require = createRequire(import.meta.url);
const adapterUtils = createRequire(require.resolve("@prisma/adapter-pg"))("@prisma/driver-adapter-utils") as {
  bindMigrationAwareSqlAdapterFactory: (factory: PrismaPg) => object;
  ColumnTypeEnum: { Character: 6 };
};

/** PostgreSQL's internal type of one byte, which the catalogue uses and Prisma's adapter does not know; and text, which it does. */
const CHAR = 18;
const TEXT = 25;

/** Node.js cannot yet import WebAssembly like the package's own entry does. The bindings hold one instance. */
async function load(): Promise<typeof bindings.SchemaEngine> {
  const panics = { set_message: (message: string) => console.error(message) };
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: panics });
  const file = require.resolve("@prisma/schema-engine-wasm/schema_engine_bg").replace(/\.js$/, ".wasm");
  const imports = { "./schema_engine_bg.js": bindings as WebAssembly.ModuleImports };
  const { instance } = await WebAssembly.instantiate(readFileSync(file), imports);
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return bindings.SchemaEngine;
}

let loaded: ReturnType<typeof load> | undefined;

/** Prisma's adapter for the engine, extended with the catalogue's one-byte columns. */
function adapterFor(pool: pg.Pool): object {
  let characters: number[] = [];
  const query = pool.query.bind(pool) as (config: pg.QueryConfig) => Promise<pg.QueryResult>;
  const queryAsText = async (config: pg.QueryConfig) => {
    const result = await query(config);
    characters = result.fields.flatMap(({ dataTypeID }, index) => (dataTypeID === CHAR ? [index] : []));
    for (const field of result.fields) if (field.dataTypeID === CHAR) field.dataTypeID = TEXT;
    return result;
  };
  Object.assign(pool, { query: queryAsText });
  const factory = new PrismaPg(pool);
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const connection = await connect();
    const queryRaw = connection.queryRaw.bind(connection);
    connection.queryRaw = async (sent) => {
      const result = await queryRaw(sent);
      for (const index of characters) result.columnTypes[index] = adapterUtils.ColumnTypeEnum.Character;
      return result;
    };
    return connection;
  };
  return adapterUtils.bindMigrationAwareSqlAdapterFactory(factory);
}

/** The SQL with which Prisma's own engine would change the database at `url` to match the schema files of `folder`. */
export async function differenceTo(folder: string, url: string): Promise<string> {
  loaded ??= load();
  const SchemaEngine = await loaded;
  const names = readdirSync(folder).filter((name) => name.endsWith(".prisma"));
  const files = names.map((path) => ({ path, content: readFileSync(`${folder}/${path}`, "utf8") }));
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    const datamodels = files.map(({ path, content }): [string, string] => [path, content]);
    const engine = await SchemaEngine.new({ datamodels }, () => {}, adapterFor(pool));
    const { stdout } = await engine.diff({
      from: { tag: "schemaDatasource", files, configDir: folder },
      to: { tag: "schemaDatamodel", files },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    engine.free();
    return stdout ?? "";
  } finally {
    await pool.end();
  }
}
