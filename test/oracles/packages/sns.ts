import https from "node:https";
import { Readable } from "node:stream";
import MessageValidator from "sns-validator";
import { withHeaders, type Oracle, type OracleRequest } from "../oracle.ts";

/** Where the bodies say that the certificate is. */
export const CERTIFICATE_URL = "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0000.pem";

/** Made for these tests by `openssl req -x509 -newkey rsa:2048 -nodes -days 36500`: Node makes keys, but no certificates. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIDGzCCAgOgAwIBAgIUPoASLz4HlOHQv3DNiGzuhN1xsAYwDQYJKoZIhvcNAQEL
BQAwHDEaMBgGA1UEAwwRc25zLmFtYXpvbmF3cy5jb20wIBcNMjYxMTMwMDAwMjQy
WhgPMjEyNjExMDYwMDAyNDJaMBwxGjAYBgNVBAMMEXNucy5hbWF6b25hd3MuY29t
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAtWlA1NycUraiGX8AXXlZ
11ivVQLpgOcgItEr5ymp8fZK05dkyv61WTuoqbOjIkDzkv3nA8OuFy3ok0mSayW0
l0cbiOi+Q/GvdBKz3bXQJWEldGxAA7yaUQ1bTRBp/3Ly3U/mhF1OWTg16tGt6zWj
aLkKz6s/0t3JoCtICdbh+tWbwZu7pGSdpQqXmA4ip9wXJV3uBVXN89DHqzu8piRL
lx7a34TULca6F6iLpnsZ+QGuVDgANtJmYM3gtGBa66v+wo+94issYciCwBS2G6eA
H5HP29qDFZuiaWsoJFVbtzZO0tgRbNL3Cd23zJ0Rd/pivkdrsLC5HvxgWGEWdfpB
EQIDAQABo1MwUTAdBgNVHQ4EFgQUJx45CIMDzKEqONx1sh0QHkJbHkAwHwYDVR0j
BBgwFoAUJx45CIMDzKEqONx1sh0QHkJbHkAwDwYDVR0TAQH/BAUwAwEB/zANBgkq
hkiG9w0BAQsFAAOCAQEASjJ/vjQ64Bx35OHVj3KJJG2ym1r5Rwy5/9eW6fXSYvid
kNqLL3V3YPvopjnuoLWAo44gS5T5kOQkRVggyk1xJyCkfUoIsx/I1ARxBnbeq8nQ
VubqrrbWu26+KiFvyc+wlC1lW792Mt5usfLQXGLWZqDm4Ah5IkBp2Bo4EAaAplKt
sq0EWvwl1h4nk+xkey0RbVZXKgcxdTnrhYm0pqOKzewjBynMkVVUOIcTh6Bjg2uK
/Lv65tAqlq15H+xi0RYKKoXHGUFkvJNR263ydASs1pJi4PQTZM+vgrdelEVzZuku
tuv04oRvM2gq0+KdgSo+2Wpgrh4SaS7ICIHwmYnOaA==
-----END CERTIFICATE-----`;
const PRIVATE_KEY = `-----BEGIN PRIVATE KEY-----
MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQC1aUDU3JxStqIZ
fwBdeVnXWK9VAumA5yAi0SvnKanx9krTl2TK/rVZO6ips6MiQPOS/ecDw64XLeiT
SZJrJbSXRxuI6L5D8a90ErPdtdAlYSV0bEADvJpRDVtNEGn/cvLdT+aEXU5ZODXq
0a3rNaNouQrPqz/S3cmgK0gJ1uH61ZvBm7ukZJ2lCpeYDiKn3BclXe4FVc3z0Mer
O7ymJEuXHtrfhNQtxroXqIumexn5Aa5UOAA20mZgzeC0YFrrq/7Cj73iKyxhyILA
FLYbp4Afkc/b2oMVm6JpaygkVVu3Nk7S2BFs0vcJ3bfMnRF3+mK+R2uwsLke/GBY
YRZ1+kERAgMBAAECggEANiRhKIZlE1yVmYVpbvxiP16lCXqyhPm2Ah4qe7XYFjJb
F7Zl6x3EswqWpntKE1WOPI8RrPJwWVOmx5qcG+VndgTPZ3eLHY0av8o7K07xfc52
Fr6eBl96MPmLB79/2zEL4dhQZK3STdd0ZA5LWVkrWXxsiRlDlaQC4o44VFNxI2Ku
eGI5ZWJjprzMXNgUepql9hCTDdTod4zVDvsyUON3OQJxkLsjWgDWGu6RoSUp1ykD
Ikq0cR8w6pg9FYYu51Ac0HQEspe3WTJj+NI6oz4T74uA6SB7ORue42O8yTacWWbA
TyqQVy2fsMP5jpKBlkdfuTOc+Flwo6qhN8MyIrhorwKBgQD1vXXgGFjliMrJrJiO
/TNOEbt3t6oksSKMrZh8DfLOPMzq+qc36AG37YUnHACCmGb0jSuVoon01kqEd0DH
j5QW3Fn2FqcsYBwo2PPWQbSdGH6TJtyhQYtJj19CWk0RTZHeAoUPhrBGwkz/yM8a
a+rzNPx1eCI9mXtGII3f2Vej1wKBgQC8/DoYTtQFhprscJMDwI3oaD/zo00Rfvlt
ezCseTQB+FN1/NIyRnypYHcjISdbTfSeXeE8LVKHDEL7up3g3KpwwYGXn0WYjtjD
ln0sZgKTy9NJ1uDwfG7y+qQjWA32r9Va9sd8g2Q61VrbOm14PNjqng2OUff3se96
MHAXNSilVwKBgQCkD8tkw5yGEh+hKVPpEu5vzrLkKIC1YnV4imVlXUKfokQFFTcS
whhznWXqSG2mwuzplF5m1k9YYMD7U0qycQ8jfBWrkFAn9jqWotGYV+GniDTpNWbT
WhkOEWQ9vl/5j1o1aGVBimChvRL/KifqseX4XYW3P29MxO1iUlWl/0rdnQKBgBGy
aNpH33DZBv7nF809JczCnmJ5Q0lFI6RN6ePswaMBlwcwcpqEoT3XK7DddOsG5MZD
skjJUbYVvtwFwK0C3O8MH8+L+Z9smP3PxM74ins+lf2PIqdCb71PHTm2EDCujIMl
Is8VGrirrANleETPJdzqighuwpKuVeeSS5zQvIqnAoGBAMvDLzLlzvqpaozbVIcg
NOCQspNq5k1SRvBmYMO5BzzIoB8gmmtRoE5obcCTAkh1mVGIsfBdGDUHygRD03Yy
mTSesZtJ4kqFoiyYgrDPhEuwhAHkbuHtofLqtnpLiaHI3VNbdgwnfkUeGoKIF5/D
FWdFM6eKNc+cqA9C0cLhWBbv
-----END PRIVATE KEY-----`;

/** The outside world, which is all that is faked: the validator fetches certificates by this function. */
https.get = ((url: string | URL, answer: (response: Readable & { statusCode: number }) => void) => {
  if (String(url) !== CERTIFICATE_URL) throw new TypeError(`no certificate at ${String(url)}`);
  answer(Object.assign(Readable.from([CERTIFICATE]), { statusCode: 200 }));
  return { on: () => undefined };
}) as unknown as typeof https.get;

const message = (members: Readonly<Record<string, string>>): string =>
  JSON.stringify({
    Type: "Notification",
    MessageId: "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
    TopicArn: "arn:aws:sns:eu-west-1:123456789012:topic",
    Timestamp: "2026-01-01T00:00:00.000Z",
    SignatureVersion: "2",
    Signature: "",
    SigningCertURL: CERTIFICATE_URL,
    ...members,
  });
/** Changed as members, for a Message may end in anything. */
const tamper = (request: OracleRequest): OracleRequest => {
  const parsed = JSON.parse(request.body) as { readonly Message: string };
  return withHeaders({ ...request, body: JSON.stringify({ ...parsed, Message: `${parsed.Message}!` }) }, {});
};

export default {
  provider: "sns",
  package: "sns-validator",
  /** The operator copies nothing: what verifies is the certificate behind CERTIFICATE_URL, always the same one. */
  secrets: async () => ({ verifying: CERTIFICATE, signing: PRIVATE_KEY }),
  sign: null,
  verify: (request) =>
    new Promise<boolean>((resolve, reject) => {
      new MessageValidator().validate(request.body, (error) => {
        if (error === null) resolve(true);
        else if (/signature is invalid|signature version|required keys|invalid domain/.test(error.message)) resolve(false);
        else reject(error);
      });
    }),
  tamper,
  bodies: [
    message({ Message: "plain" }),
    message({ Message: 'Zoë ☕ 😀\nline two "quoted" \\ \u2028', Subject: "Größe" }),
    message({ Message: "version 1", SignatureVersion: "1" }),
    message({
      Type: "SubscriptionConfirmation",
      Message: "You have chosen to subscribe",
      Token: "2336412f37",
      SubscribeURL: "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=2336412f37",
    }),
  ],
  quirks: [
    "Fetches the certificate by its URL: host ^sns\\.[a-zA-Z0-9-]{3,}\\.amazonaws\\.com(\\.cn)?$, https, a path and query that end in .pem; keeps it for ever, and never judges its dates or its issuer.",
    "Enforces no time.",
    "Signs Subject if the member is there, even where it is empty; an UnsubscribeConfirmation is signed without its Token, against AWS's documentation.",
    "Accepts SigningCertUrl for SigningCertURL.",
  ],
} satisfies Oracle;
