import { skewDate } from "./skewed-date.ts"

/** Offsets the process's clock in ms: `node --import skew-preload.js?ms=-90000`. */
skewDate(Number(new URL(import.meta.url).searchParams.get("ms")))
