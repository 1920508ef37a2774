import { z } from "zod"

export const settingsSchema = z.strictObject({
  /**
   * "5,000 requests per hour" for a token; null: "Rate limits are disabled by default for GitHub
   * Enterprise Server".
   */
  requestsPerHour: z.number().int().min(0).nullable(),
  /** "You will receive a 403 or 429 response". */
  limitStatus: z.union([z.literal(403), z.literal(429)]),
  asDrafts: z.boolean(),
})
export type Settings = z.infer<typeof settingsSchema>

export type SettingsChanges = Partial<Settings>

export const defaultSettings: Settings = {
  requestsPerHour: 5_000,
  limitStatus: 403,
  asDrafts: false,
}
