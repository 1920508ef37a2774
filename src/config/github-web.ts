/**
 * Where people see what this API serves. "https://HOSTNAME/api/v3" is GitHub Enterprise Server, which may
 * have a path of its own; "https://api.github.com" and "https://api.SUBDOMAIN.ghe.com" leave their first
 * label out.
 */
export function gitHubWeb(apiUrl: string): { host: string; path: string } {
  const { host, pathname } = new URL(apiUrl)
  const path = pathname.replace(/\/+$/, "")
  const server = /^(.*)\/api\/v3$/.exec(path)
  return server ? { host, path: server[1] ?? "" } : { host: host.replace(/^api\./, ""), path }
}
