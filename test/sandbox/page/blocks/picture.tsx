import { type JsonObject, stringIn } from "../../slack/json.ts"

/** Nothing is loaded from other servers, so a picture is told rather than shown. */
export function Picture({ image }: { image: JsonObject }) {
  const url = stringIn(image, "image_url") ?? ""
  const alt = stringIn(image, "alt_text") ?? ""
  if (url.startsWith("data:image/")) return <img src={url} alt={alt} />
  return (
    <span class="picture-told" title={url}>
      Picture: {alt}
    </span>
  )
}
