import { z } from "zod"

/** What can be changed while the service runs. */
export const settingsSchema = z.strictObject({
  /** The document does not show the status of success; deployments answer either. */
  successStatus: z.union([z.literal(200), z.literal(201)]),
  /** What a 429 of the service's own limits carries. */
  retryAfter: z.enum(["none", "seconds", "date"]),
  /** Whether jobs take messages; a deployment without them answers 404. */
  followUps: z.boolean(),
  creationsPerWindow: z.number().int().min(0),
  visitorsPerWindow: z.number().int().min(0),
  visitors: z.strictObject({
    /** Pages in the data set of each project. */
    pages: z.number().int().min(0).max(1_000_000),
    /** A new project: nobody came. */
    empty: z.boolean(),
    /** Visits of the last so many milliseconds are not counted yet. */
    lagMs: z.number().int().min(0),
  }),
})

export type Settings = z.infer<typeof settingsSchema>

/** Some settings, also some of those of the visitors. */
export const settingsChangesSchema = settingsSchema
  .partial()
  .extend({ visitors: settingsSchema.shape.visitors.partial().optional() })

export type SettingsChanges = z.infer<typeof settingsChangesSchema>

export const defaultSettings: Settings = {
  successStatus: 201,
  retryAfter: "seconds",
  followUps: true,
  creationsPerWindow: 100,
  visitorsPerWindow: 100,
  visitors: { pages: 180, empty: false, lagMs: 0 },
}

/** The settings among other options. */
export function settingsIn(options: SettingsChanges): SettingsChanges {
  const named = Object.entries(options).filter(([name]) => name in settingsSchema.shape)
  return Object.fromEntries(named)
}

/** @throws ZodError when a value is out of range or has no such name. */
export function changed(settings: Settings, changes: SettingsChanges): Settings {
  const visitors = { ...settings.visitors, ...changes.visitors }
  return settingsSchema.parse({ ...settings, ...changes, visitors })
}
