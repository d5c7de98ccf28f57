/** The text fields of a multipart body, by the platform's own parser. Few providers send one (Dropbox Sign, Mailgun's inbound routes). */

/** More than any provider's notification; an upload is left unparsed. */
const MULTIPART_LIMIT_BYTES = 1_024 * 1_024;

/** null: it is not multipart, or does not parse. Files are in the event's bytes alone. */
export async function multipartFields(contentType: string, body: Uint8Array): Promise<URLSearchParams | null> {
  if (!/^multipart\/form-data\b/i.test(contentType) || body.length > MULTIPART_LIMIT_BYTES) return null;
  try {
    const data = await new Response(body, { headers: { "content-type": contentType } }).formData();
    const fields = new URLSearchParams();
    for (const [name, value] of data) if (typeof value === "string") fields.append(name, value);
    return fields;
  } catch {
    return null;
  }
}
