import { readFileSync } from "node:fs"

/**
 * Returns the Slack app's manifest as JSON, which Slack accepts like YAML: for HTTP if there is a
 * host, otherwise for Socket Mode.
 * @throws Error if `host` is not a host name
 */
export function printManifest({ host, agent }: { host?: string; agent?: boolean }): string {
  if (host !== undefined && !/^[\w.-]+(:\d+)?$/.test(host))
    throw new Error("--host takes a host name, such as docs-agent.example.com.")
  const name = agent ? "manifest.agent.json" : "manifest.json"
  // The build writes both from the YAML files into `dist`, the folder above `dist/bot`.
  const text = readFileSync(new URL(`../${name}`, import.meta.url), "utf8")
  const manifest: unknown =
    host === undefined
      ? JSON.parse(text, inSocketMode)
      : JSON.parse(text.replaceAll("https://HOST/", `https://${host}/`))
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/** Turns on Socket Mode in the manifest and leaves out the request URLs, which are for HTTP. */
export function inSocketMode(name: string, value: unknown): unknown {
  if (name === "socket_mode_enabled") return true
  return name === "url" || name === "request_url" ? undefined : value
}
