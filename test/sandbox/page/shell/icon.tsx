const PATHS = {
  hash: "M7.5 3 5.5 17M14.5 3l-2 14M3 7.5h14M3 12.5h14",
  lock: "M5 9h10v8H5zM7 9V6.5a3 3 0 0 1 6 0V9",
  archive: "M3 4h14v4H3zM4.5 8v9h11V8M8 11.5h4",
  shared: "M3 10h14M12 5l5 5-5 5M8 5l-5 5 5 5",
  thread: "M3 4h14v10H9l-4 3v-3H3zM7 8h6M7 11h4",
  eye: "M2 10s3-5 8-5 8 5 8 5-3 5-8 5-8-5-8-5zM10 12.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z",
  close: "M5 5l10 10M15 5 5 15",
  send: "M3 10 17 3.5 13 17l-3-5.5zM10 11.5 17 3.5",
  menu: "M3 5h14M3 10h14M3 15h14",
  chat: "M3 4h14v10H9l-4 3v-3H3z",
  download: "M10 3v9M6 8.5l4 4 4-4M4 16.5h12",
  more: "M10 3.8a.7.7 0 1 0 0 1.4.7.7 0 0 0 0-1.4zM10 9.3a.7.7 0 1 0 0 1.4.7.7 0 0 0 0-1.4zM10 14.8a.7.7 0 1 0 0 1.4.7.7 0 0 0 0-1.4z",
  plus: "M10 4v12M4 10h12",
  shortcut: "M11 2.5 4.5 11.5h5l-1 6 6.5-9h-5z",
  stop: "M5.5 5.5h9v9h-9z",
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
