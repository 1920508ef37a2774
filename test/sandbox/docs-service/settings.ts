import { z } from "zod"
import { extraFeedbackSchema } from "./analytics/feedback.ts"
import { optionalOperationSchema } from "./operations.ts"

const plantSchema = z.strictObject({
  /** UTC day, `YYYY-MM-DD`. */
  day: z.iso.date(),
  /** Factor on the usual visits: 0 is an outage, 2 doubles them. */
  factor: z.number().min(0).max(100),
  of: z.enum(["human", "ai", "both"]).default("both"),
  /** Path prefix of the affected pages; all pages by default. */
  path: z.string().min(1).optional(),
})

const settingsSchema = z.strictObject({
  /** Operations that this deployment lacks, with the status returned instead. */
  absent: z.partialRecord(optionalOperationSchema, z.literal([403, 404, 405, 501])),
  creationsPerWindow: z.number().int().min(0),
  /** Limit of one organization across all analytics operations. */
  analyticsPerWindow: z.number().int().min(0),
  visitors: z.strictObject({
    pages: z.number().int().min(0).max(1_000_000),
    /** Unusual paths, given to some of these pages. */
    oddPaths: z.array(z.string()).readonly(),
    /** True for a new project without visitors. */
    empty: z.boolean(),
    plants: z.array(plantSchema),
  }),
  analytics: z.strictObject({
    /** Questions to the assistant on each day; 720 make 5,040 a week. */
    conversationsPerDay: z.number().int().min(0).max(100_000),
    /** Unit of "Click-through rate": the document doesn't say whether a quarter is 0.25 or 25. */
    ctr: z.enum(["fraction", "percent"]),
    /** Feedback beside the usual, in every range. */
    feedback: extraFeedbackSchema,
  }),
})

export type Settings = z.infer<typeof settingsSchema>

/** Partial settings; `visitors` and `analytics` can be partial too. */
const settingsChangesSchema = settingsSchema.partial().extend({
  visitors: settingsSchema.shape.visitors.partial().optional(),
  analytics: settingsSchema.shape.analytics.partial().optional(),
})

export type SettingsChanges = z.input<typeof settingsChangesSchema>

export const defaultSettings: Settings = {
  absent: {},
  creationsPerWindow: 100,
  analyticsPerWindow: 100,
  visitors: { pages: 180, oddPaths: [], empty: false, plants: [] },
  analytics: { conversationsPerDay: 40, ctr: "fraction", feedback: [] },
}

export function settingsIn(options: SettingsChanges): SettingsChanges {
  const named = Object.entries(options).filter(([name]) => name in settingsSchema.shape)
  return Object.fromEntries(named)
}

/** Returns the changed settings. @throws ZodError if a name or value is invalid. */
export function changed(settings: Settings, changes: SettingsChanges): Settings {
  const visitors = { ...settings.visitors, ...changes.visitors }
  const analytics = { ...settings.analytics, ...changes.analytics }
  return settingsSchema.parse({ ...settings, ...changes, visitors, analytics })
}
