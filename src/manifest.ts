import { readFileSync } from "node:fs"
import { z } from "zod"

/** The parts of a manifest that differ between HTTP and Socket Mode. */
const manifestSchema = z.looseObject({
  features: z.looseObject({ slash_commands: z.array(z.looseObject({})) }),
  settings: z.looseObject({
    event_subscriptions: z.looseObject({}),
    interactivity: z.looseObject({}),
  }),
})

/**
 * Returns the Slack app's manifest as JSON, which Slack accepts like YAML.
 * @param options `host`: the host for requests over HTTP; Socket Mode if absent. `agent`: for an
 * app that is declared as an agent
 */
export function printManifest(options: { host?: string; agent?: boolean }): string {
  const { host, agent = false } = options
  if (host !== undefined && !/^[\w.-]+(:\d+)?$/.test(host))
    throw new Error("--host takes a host name, such as docs-agent.example.com.")
  const name = agent ? "manifest.agent.json" : "manifest.json"
  // The build writes both from the YAML files, two folders above `dist/bot`'s files.
  const text = readFileSync(new URL(`../${name}`, import.meta.url), "utf8")
  const manifest = manifestSchema.parse(
    JSON.parse(text.replaceAll("https://HOST/", `https://${host}/`)),
  )
  return `${JSON.stringify(host === undefined ? toSocketMode(manifest) : manifest, null, 2)}\n`
}

/** Removes the request URLs, which Slack does not want in Socket Mode. */
function toSocketMode({ features, settings, ...manifest }: z.output<typeof manifestSchema>) {
  return {
    ...manifest,
    features: {
      ...features,
      slash_commands: features.slash_commands.map(({ url: _url, ...command }) => command),
    },
    settings: {
      ...settings,
      event_subscriptions: { ...settings.event_subscriptions, request_url: undefined },
      interactivity: { ...settings.interactivity, request_url: undefined },
      socket_mode_enabled: true,
    },
  }
}
