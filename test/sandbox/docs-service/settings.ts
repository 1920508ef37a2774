import { z } from "zod"
import { optionalOperationSchema } from "./operations.ts"
import { previewPlanSchema } from "./preview.ts"

const plantSchema = z.strictObject({
  /** A UTC day, `YYYY-MM-DD`. */
  day: z.iso.date(),
  /** 0 is an outage, 2 twice the usual. */
  factor: z.number().min(0).max(100),
  of: z.enum(["human", "ai", "both"]).default("both"),
  /** Only pages whose path begins so. */
  path: z.string().min(1).optional(),
})

const settingsSchema = z.strictObject({
  /** Operations this deployment lacks, with the status it answers instead. */
  absent: z.partialRecord(optionalOperationSchema, z.literal([403, 404, 405, 501])),
  creationsPerWindow: z.number().int().min(0),
  previewPlan: previewPlanSchema,
  /** Of one organization, over all analytics operations. */
  analyticsPerWindow: z.number().int().min(0),
  visitors: z.strictObject({
    pages: z.number().int().min(0).max(1_000_000),
    /** Paths of another kind that some of these pages have. */
    oddPaths: z.array(z.string()).readonly(),
    /** A new project: nobody came. */
    empty: z.boolean(),
    plants: z.array(plantSchema),
  }),
  analytics: z.strictObject({
    /** Questions to the assistant on each day; 720 make 5,040 in a week. */
    conversationsPerDay: z.number().int().min(0).max(100_000),
    /** "Click-through rate": whether 0.25 or 25 is a quarter is not said. */
    ctr: z.enum(["fraction", "percent"]),
  }),
})

export type Settings = z.infer<typeof settingsSchema>

/** Some settings, also some of those of the visitors and of the other analytics. */
const settingsChangesSchema = settingsSchema.partial().extend({
  visitors: settingsSchema.shape.visitors.partial().optional(),
  analytics: settingsSchema.shape.analytics.partial().optional(),
})

export type SettingsChanges = z.input<typeof settingsChangesSchema>

export const defaultSettings: Settings = {
  absent: {},
  creationsPerWindow: 100,
  previewPlan: { ending: "success", queuedMs: 1_000, afterMs: 8_000 },
  analyticsPerWindow: 100,
  visitors: { pages: 180, oddPaths: [], empty: false, plants: [] },
  analytics: { conversationsPerDay: 40, ctr: "fraction" },
}

export function settingsIn(options: SettingsChanges): SettingsChanges {
  const named = Object.entries(options).filter(([name]) => name in settingsSchema.shape)
  return Object.fromEntries(named)
}

/** @throws ZodError when a value is out of range or has no such name. */
export function changed(settings: Settings, changes: SettingsChanges): Settings {
  const visitors = { ...settings.visitors, ...changes.visitors }
  const analytics = { ...settings.analytics, ...changes.analytics }
  return settingsSchema.parse({ ...settings, ...changes, visitors, analytics })
}
