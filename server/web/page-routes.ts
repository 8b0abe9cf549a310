/** The part of Next's `routes-manifest.json` that is read here. */
interface RoutesManifest {
  staticRoutes: readonly { page: string }[];
  /** In the order in which Next tries them. */
  dynamicRoutes: readonly { page: string; regex: string }[];
}

/** Returns a function that finds the route of a path, such as `/alerts/{id}`. Null if no page has this path. */
export function pageRoutes({ staticRoutes, dynamicRoutes }: RoutesManifest): (path: string) => string | null {
  const fixed = new Set(staticRoutes.map(({ page }) => page));
  const variable = dynamicRoutes
    .filter(({ page }) => !page.startsWith("/api/v1/"))
    .map(({ page, regex }) => ({ route: page.replace(/\[+(?:\.{3})?(\w+)\]+/g, "{$1}"), path: new RegExp(regex) }));
  return (path) => {
    const given = path.replace(/(?<=.)\/$/, "");
    if (fixed.has(given)) return given;
    return variable.find((each) => each.path.test(given))?.route ?? null;
  };
}
