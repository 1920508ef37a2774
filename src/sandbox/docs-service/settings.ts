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
})

export type Settings = z.infer<typeof settingsSchema>

export const defaultSettings: Settings = {
  successStatus: 201,
  retryAfter: "seconds",
  followUps: true,
  creationsPerWindow: 100,
  visitorsPerWindow: 100,
}
