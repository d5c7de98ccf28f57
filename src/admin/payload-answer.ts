/** An event's bytes as a file. Never as what the sender calls them: a body that a browser would render is a page of this origin. */
export function payloadAnswer(bytes: Uint8Array): Response {
  return new Response(new Uint8Array(bytes), {
    headers: {
      "content-type": "application/octet-stream",
      "content-disposition": 'attachment; filename="payload.bin"',
      "x-content-type-options": "nosniff",
    },
  });
}
