import { z } from "zod"
import { figureNames } from "../../visitors/question.ts"
import { called, type ProjectNames, stored } from "../projects/names.ts"

/** What a report answers, as it stands in every record that leads back to one. */
export const question = z.object({
  project: z.string(),
  range: z.object({ from: z.iso.date(), to: z.iso.date() }),
  filter: z.string().exactOptional(),
  by: z.enum(figureNames),
  page: z.number().int().positive(),
})

/** Whatever leads back to a question. It outlives a change of its project's name. */
interface Asked {
  question: { project: string }
}

export function calledIn<T extends Asked>(names: ProjectNames, shown: T): T {
  return { ...shown, question: called(names, shown.question) }
}

export function storedIn<T extends Asked>(names: ProjectNames, shown: T): T {
  return { ...shown, question: stored(names, shown.question) }
}
