const SHAPES = [
  "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z",
  "M-4-4h8v8h-8z",
  "M0-5 5 4h-10z",
  "M0-5 5 0 0 5-5 0z",
  "M-5-2h10v4h-10z",
  "M-2-5h4v10h-4z",
]

export function Marker({ index }: { index: number }) {
  return <path class={`series-${index % SHAPES.length} marker`} d={SHAPES[index % SHAPES.length]} />
}
