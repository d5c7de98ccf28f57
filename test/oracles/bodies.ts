/** Bodies on which readers of bytes and readers of text part ways. The last letter or digit of each may change (see `flipBody`). */

/** JSON objects with these members first, which some packages demand. */
export function jsonBodies(members: Readonly<Record<string, unknown>> = { type: "note.created" }): readonly string[] {
  const first = JSON.stringify(members).slice(1, -1);
  return [
    `{${first},"data":{"object":{"id":"obj_1","amount":2000}}}`,
    // Beyond ASCII, beyond the BMP, and a line separator that JSON allows raw.
    `{${first},"data":{"text":"Zoë naïve – ☕ 日本語 😀 \u2028 end"}}`,
    // Escapes that a parse and a stringify would not bring back.
    `{${first},"data":{"text":"\\u00e9\\ud83d\\ude00 back\\/slash \\"quoted\\" \\\\ \\t end"}}`,
    `{\r\n  ${first},\r\n  "data": { "lines": "one\\r\\ntwo" }\r\n}\r\n`,
    // Numbers that a parse and a stringify would change, and a name twice.
    `{${first},"data":{"id":12345678901234567890,"price":26.0,"exponent":1E+2,"twice":1,"twice":2}}`,
    ` \t{${first} , "data" : { "spaces" : "around" } } \n`,
  ];
}

/** JSON arrays of notifications, for providers that send batches. */
export const JSON_BATCHES: readonly string[] = [
  '[{"eventId":1,"subscriptionType":"contact.creation","name":"Zoë ☕ 😀"},{"eventId":2,"subscriptionType":"contact.deletion"}]',
  '[{"eventId":12345678901234567890,"score":26.0}]\r\n',
];

/** Form parameters: an empty one, `+`, escapes in both cases, a repeated name, names whose order differs with the case. */
export const FORM_BODIES: readonly string[] = [
  "MessageSid=SM0123456789&From=%2B15551230000&Body=Hello+world&NumMedia=0",
  "Body=Zo%C3%AB+%E2%98%95+%F0%9F%98%80%0D%0Aline+two&Empty=&Amount=100%25",
  "b=2&a=1&B=4&A=3&quote=%27%22&tilde=~%2A%2a",
  "MediaUrl=two&MediaUrl=one&MediaUrl=two&Last=1",
];
