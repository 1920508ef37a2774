import { fileURLToPath } from "node:url"
import { takePictures } from "./take.ts"

await takePictures(fileURLToPath(new URL("../../.github/pictures", import.meta.url)))
