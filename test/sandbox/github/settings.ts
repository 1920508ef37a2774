import { z } from "zod"

export const settingsSchema = z.strictObject({
  /**
   * Limit of a token: "5,000 requests per hour". Null for none: "Rate limits are disabled by
   * default for GitHub Enterprise Server".
   */
  requestsPerHour: z.number().int().min(0).nullable(),
})
export type Settings = z.infer<typeof settingsSchema>

export type SettingsChanges = Partial<Settings>

export const defaultSettings: Settings = { requestsPerHour: 5_000 }
