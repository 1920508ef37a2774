import type { OnBroken } from "./broken.ts"
import type { Now } from "./script.ts"

/** What any store may be given beside its connection. */
export interface StoreOptions {
  onBroken?: OnBroken
  now?: Now
}
