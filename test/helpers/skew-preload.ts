import { skewDate } from "./skewed-date.ts"

/** `node --import skew-preload.js?ms=-90000`: a process on a machine whose clock is off. */
skewDate(Number(new URL(import.meta.url).searchParams.get("ms")))
