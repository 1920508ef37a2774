import { readFileSync } from "node:fs"
import { parse } from "yaml"
import { z } from "zod"

const url = z.url({ protocol: /^https$/ })
const text = (max: number) => z.string().min(1).max(max)

/** Schema for lists of scopes or events: no duplicates, and "maxLength": 50 for each. */
const distinct = (max: number) =>
  z
    .array(text(50))
    .max(max)
    .refine((names) => new Set(names).size === names.length, "must not name one twice")

/** Limits of `features.agent_view`, such as "A maximum of 4 suggested prompts". */
const agentView = z.strictObject({
  agent_description: text(300),
  suggested_prompts: z
    .array(z.strictObject({ title: text(75), message: text(3000) }))
    .min(1)
    .max(4),
})

/**
 * Slack's rules for a manifest, as far as this app uses them, from Slack's published schema
 * (github.com/slackapi/manifest-schema, version 2.0.0) and manifest reference. Rejects unknown
 * members. If both leave a length open, Block Kit's stricter limits apply.
 */
const manifestSchema = z.strictObject({
  _metadata: z.strictObject({ major_version: z.literal(2), minor_version: z.int() }),
  display_information: z.strictObject({
    name: text(35),
    description: text(140),
    long_description: z.string().min(175).max(4000),
  }),
  features: z.strictObject({
    agent_view: agentView.optional(),
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
    // "Optional scopes must also be listed in the corresponding bot fields."
    scopes: z
      .strictObject({ bot: distinct(255), bot_optional: distinct(255) })
      .refine(({ bot, bot_optional }) => bot_optional.every((scope) => bot.includes(scope)), {
        message: "must list every optional scope under bot, too",
        path: ["bot"],
      }),
  }),
  settings: z.strictObject({
    event_subscriptions: z.strictObject({
      request_url: url.optional(),
      bot_events: distinct(100),
    }),
    interactivity: z.strictObject({ is_enabled: z.boolean(), request_url: url.optional() }),
    org_deploy_enabled: z.boolean(),
    socket_mode_enabled: z.boolean(),
    token_rotation_enabled: z.boolean(),
  }),
})
export type Manifest = z.infer<typeof manifestSchema>

/** Returns the manifest for all Slack plans. @throws ZodError naming what Slack would reject */
export function readManifest(): Manifest {
  return readFrom("manifest.yml")
}

/** Returns the manifest for the app as an agent. @throws ZodError naming what Slack would reject */
export function readAgentManifest(): Manifest {
  return readFrom(".github/manifest.agent.yml")
}

function readFrom(name: string): Manifest {
  const file = new URL(`../../${name}`, import.meta.url)
  return manifestSchema.parse(parse(readFileSync(file, "utf8")))
}
