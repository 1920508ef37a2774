import { z } from "zod"

const buttonShape = z.object({ action_id: z.string(), value: z.string() })
const blocksShape = z.array(
  z.looseObject({ elements: z.array(z.unknown()).optional(), accessory: z.unknown().optional() }),
)

/** Returns the buttons of a message's blocks, as Slack returns them or as the bot sends them. */
export function buttonsIn(blocks: unknown): z.output<typeof buttonShape>[] {
  const shown = blocksShape.safeParse(blocks).data ?? []
  const elements = shown.flatMap((block) => [...(block.elements ?? []), block.accessory])
  return elements.flatMap((element) => buttonShape.safeParse(element).data ?? [])
}
