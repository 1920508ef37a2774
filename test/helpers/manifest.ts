import { readFileSync } from "node:fs"
import { parse, stringify } from "yaml"
import { z } from "zod"

const url = z.url({ protocol: /^https$/ })
const text = (max: number) => z.string().min(1).max(max)

/**
 * Slack's rules for a manifest, as far as this app uses them: limits, patterns, no unknown members.
 */
const manifestSchema = z.strictObject({
  _metadata: z.strictObject({ major_version: z.literal(2), minor_version: z.int() }),
  display_information: z.strictObject({ name: text(35), description: text(140) }),
  features: z.strictObject({
    app_home: z.strictObject({
      home_tab_enabled: z.boolean(),
      messages_tab_enabled: z.boolean(),
      messages_tab_read_only_enabled: z.boolean(),
    }),
    bot_user: z.strictObject({ display_name: text(80), always_online: z.boolean() }),
    slash_commands: z
      .array(
        z.strictObject({
          command: z.string().min(2).max(32).regex(/^\//),
          url: url.optional(),
          description: text(2000),
          usage_hint: text(1000).optional(),
          should_escape: z.boolean(),
        }),
      )
      .max(50),
    shortcuts: z
      .array(
        z.strictObject({
          name: text(24),
          type: z.enum(["message", "global"]),
          callback_id: text(255),
          description: text(150),
        }),
      )
      .max(10),
  }),
  oauth_config: z.strictObject({
    scopes: z.strictObject({
      bot: z.array(z.string()).max(255),
      bot_optional: z.array(z.string()).max(255),
    }),
  }),
  settings: z.strictObject({
    event_subscriptions: z.strictObject({
      request_url: url.optional(),
      bot_events: z.array(z.string()).max(100),
    }),
    interactivity: z.strictObject({ is_enabled: z.boolean(), request_url: url.optional() }),
    org_deploy_enabled: z.boolean(),
    socket_mode_enabled: z.boolean(),
    token_rotation_enabled: z.boolean(),
  }),
})
export type Manifest = z.infer<typeof manifestSchema>

/** @throws ZodError naming what Slack would refuse. */
export function readManifest(): Manifest {
  const file = new URL("../../manifest.yml", import.meta.url)
  return manifestSchema.parse(parse(readFileSync(file, "utf8")))
}

/** The same app in Socket Mode: Slack wants no addresses then. */
export function toSocketMode(manifest: Manifest): Manifest {
  const { features, settings } = manifest
  const { request_url: _, ...events } = settings.event_subscriptions
  const { request_url: __, ...interactivity } = settings.interactivity
  return {
    ...manifest,
    features: {
      ...features,
      slash_commands: features.slash_commands.map(({ url: ___, ...command }) => command),
    },
    settings: {
      ...settings,
      event_subscriptions: events,
      interactivity,
      socket_mode_enabled: true,
    },
  }
}

/** Slack's page for a new app, with this manifest filled in. */
export function createAppLink(manifest: Manifest): string {
  const words = new URLSearchParams({ new_app: "1", manifest_yaml: stringify(manifest) })
  return `https://api.slack.com/apps?${words.toString().replaceAll("+", "%20")}`
}
