/** Every control of the visitors feature. Values are opaque ids, at most with a word of ours behind. */
export const visitorActions = {
  range: "visitors_range",
  sort: "visitors_sort",
  previous: "visitors_previous",
  next: "visitors_next",
  changed: "visitors_changed",
  back: "visitors_back",
  share: "visitors_share",
  csv: "visitors_csv",
  csvStart: "visitors_csv_start",
  improve: "visitors_improve",
} as const

export type VisitorAction = (typeof visitorActions)[keyof typeof visitorActions]

/** `id` of the shown report, and what was picked. */
export function pickedValue(id: string, picked: string): string {
  return `${id}.${picked}`
}

/** The two halves of a control's value; a button has no second one. */
export function readValue(value: string): { id: string; picked: string } {
  const dot = value.indexOf(".")
  return dot < 0
    ? { id: value, picked: "" }
    : { id: value.slice(0, dot), picked: value.slice(dot + 1) }
}
