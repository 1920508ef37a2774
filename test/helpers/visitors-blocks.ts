import { z } from "zod"
import type { Message } from "../sandbox/slack/index.ts"

const number = z.object({ value: z.number() })
const text = z.object({ text: z.string() })
const cells = z.tuple([text, number, number, number])
const tableBlock = z.object({ rows: z.tuple([z.array(z.unknown())], cells) })
const series = z.object({ data: z.array(number) })
const chartBlock = z.object({
  chart: z.object({ type: z.string(), series: z.tuple([series, series]) }),
})

export function tableIn(message: Message) {
  const block = message.blocks.find(({ type }) => type === "data_table" || type === "table")
  const [, ...rows] = tableBlock.parse(block).rows
  return rows.map(([path, human, ai, total]) => ({
    path: path.text,
    human: human.value,
    ai: ai.value,
    total: total.value,
  }))
}

export function chartIn(message: Message): { human: number; ai: number }[] | undefined {
  const block = message.blocks.find(({ type }) => type === "data_visualization")
  if (block === undefined) return undefined
  const [people, ai] = chartBlock.parse(block).chart.series
  return people.data.map((point, i) => ({
    human: point.value,
    ai: ai.data[i]?.value ?? Number.NaN,
  }))
}

export function typesIn(message: Message): unknown[] {
  return message.blocks.map(({ type }) => type)
}

export function wordsIn(message: Message): string {
  return JSON.stringify(message.blocks)
}
