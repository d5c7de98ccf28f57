/** Pure. Every bound on size and count, unit in the name, reason beside it (DESIGN 5). Durations are in timings.ts. */

/** A request under /admin: a form or an order, never a payload. */
export const ORDER_LIMIT_BYTES = 64 * 1024;
/** One request's body. Above the biggest deliveries that providers document for the presets we ship; far below the isolate's 128 MB. */
export const BODY_LIMIT_BYTES = 10 * 1024 * 1024;
/** Bodies that one isolate may hold at once: 128 MB are shared by all requests in it, and a body is held about twice. */
export const BODIES_IN_FLIGHT_BYTES = 48 * 1024 * 1024;
/** Reserved for a request before it is read; grows with what comes. */
export const BODY_RESERVE_BYTES = 64 * 1024;
/**
 * JSON that has to be parsed to find the signature or what it covers, so before anybody knows who sent it. Four times the largest such delivery that
 * a provider documents (SNS: 256 kB); a parse costs many times what the bytes do, in time and in memory.
 */
export const UNVERIFIED_PARSE_LIMIT_BYTES = 1024 * 1024;
/** Fields of a form, counted before it is parsed. The largest that a provider sends has some dozens (Twilio). */
export const FORM_FIELDS_LIMIT = 1_000;
/** Items of a delivery that are signed one by one: Adyen sends a handful. */
export const SIGNED_ITEMS_LIMIT = 1_000;
/** A text with signatures in it. Header lines are no longer anywhere; a field of a body could be. */
export const SIGNATURE_TEXT_LIMIT_CHARACTERS = 16 * 1024;
/** A certificate or key set is a few kilobytes. */
export const KEY_DOCUMENT_LIMIT_BYTES = 64 * 1024;
/** Key documents that an isolate remembers for a source: of those that verified a signature, and again of those that did not yet. A provider has few. */
export const KEYS_KEPT = 16;
/** Keys that an isolate remembers, for a source, not to exist. */
export const KEYS_MISSING_KEPT = 64;
/** Key documents that an isolate fetches per minute, for a source and from one host: requests that name keys cost nobody more than this. */
export const KEY_FETCHES_PER_MINUTE = 60;
/** Hosts that the requests to a source may make an isolate ask in a minute: above what any preset allows for one source. */
export const KEY_HOSTS_PER_MINUTE = 8;
/** A secret that a provider hands over in its handshake. */
export const HANDSHAKE_SECRET_LIMIT_CHARACTERS = 512;
/** An operation on a queue is billed per 64,000 bytes (1 kB = 1,000 B there); the hard limit is 128,000. */
export const MESSAGE_LIMIT_BYTES = 64_000;
/** Room kept for what v8 serialisation and the platform's metadata add to a message. */
export const MESSAGE_OVERHEAD_BYTES = 512;
/** A batch of messages may weigh 256 kB (platform limit of sendBatch), and count 100. */
export const SEND_BATCH_BYTES = 240_000;
export const SEND_BATCH_MESSAGES = 100;
/** Ids become primary-key columns and object names (platform limit of a name: 1,024 bytes). */
export const EVENT_ID_LIMIT_BYTES = 512;
export const TYPE_LIMIT_BYTES = 256;
export const HEADERS_LIMIT_BYTES = 8 * 1024;
/** Source names appear in URLs, object names and environment variables. */
export const SOURCE_NAME_LIMIT_BYTES = 64;
/** A value in an object's storage may weigh 2 MB; the record's other fields need less than 0.1 MB. Enforced here: local storage takes more. */
export const RECORD_BODY_LIMIT_BYTES = 1_900_000;
export const CHUNK_BYTES = 1_900_000;
/** Bodies above this are handled one at a time by the consumer: they were too large for a message. */
export const LARGE_BODY_BYTES = MESSAGE_LIMIT_BYTES;
/** What one record statement may carry: measured sweet spot between round trips and memory (PLATFORM 11.2). */
export const RECORD_SLICE_BYTES = 2_000_000;
/** Events in one delivery: above the largest batches that providers document (Event Grid: 5,000), and sent within an invocation by far. */
export const SPLIT_ITEMS_LIMIT = 10_000;
/** Refused batches of messages in a row after which the rest is left to the sweep: a queue that hangs costs each of them its wait. */
export const REFUSED_BATCHES_LIMIT = 3;
/** Secrets that a provider has sent, per source: anybody can post one while the source has none, so they are few. */
export const HANDSHAKES_LIMIT = 10;
/** Of these, how many an isolate takes to the ledger in a minute, for a source: each costs a connection. */
export const HANDSHAKES_PER_MINUTE = 20;
export const STACK_LIMIT_BYTES = 16 * 1024;
export const ERROR_MESSAGE_LIMIT_BYTES = 4 * 1024;
/** A handler's result is kept in the ledger until its `after` has run. */
export const RESULT_LIMIT_BYTES = 64 * 1024;
/** Counted failures before a dead letter. */
export const ATTEMPTS_LIMIT = 8;
/** Failures of `after` before it is given up and shown as failed. */
export const AFTER_ATTEMPTS_LIMIT = 5;
/** Runs alone that began and never ended before an event is called a killer of isolates. */
export const UNFINISHED_STARTS_LIMIT = 3;
/** Refused sends after which the bytes stay in the claim and only the key is sent: locally every refusal looks like an outage. */
export const REFUSALS_BEFORE_BARE_KEY = 3;
/** Refused sends in a row after which an operator is told. */
export const REFUSALS_BEFORE_STUCK = 10;
export const SWEEP_ROWS = 500;
/** Above this backlog the sweep would add to the load it wants to relieve. */
export const SWEEP_BACKLOG_LIMIT = 10_000;
/** Rows whose bytes one sweep drops, in chunks of this many. */
export const RETENTION_CHUNK_ROWS = 200;
export const RETENTION_CHUNKS = 25;
/** Hours whose figures one run of the cron writes down: after a pause, or on an old ledger, the rest has its turn in the next. */
export const HOURS_PER_RUN = 48;
/** Claims told at the same time: the platform serves six connections per invocation, more only queue up. */
export const TELL_CONCURRENCY = 6;
/** Why an operator ordered something: a sentence or two, shown in lists. */
export const ORDER_REASON_LIMIT_CHARACTERS = 500;
/** Of a group replay. Below what one consumer settles (PLATFORM 11.2), so that fresh events do not wait behind old ones. */
export const REPLAY_RATE_LIMIT_PER_SECOND = 100;
export const REPLAY_RATE_PER_SECOND = 10;
/** What one order may open: a mistake is then at most this large, and cancelled before it is through. */
export const REPLAY_ROWS_LIMIT = 10_000;
export const REPLAY_ROWS = 1_000;
/** Group replays that the cron wakes in one run; each costs a call. */
export const REPLAY_RUNS_WOKEN = 50;
/** Group replays in a list. */
export const REPLAYS_SHOWN = 50;
/** Data points that an invocation may write (platform limit). A batch of 100 messages makes at most about twice as many. */
export const METRIC_POINTS_LIMIT = 250;
/** Kinds of failure that alerts look at in one run, those with an open alert first. */
export const ALERT_KINDS_LIMIT = 1_000;
/** Alerts of which one message speaks: the rest is a number. */
export const ALERTS_TOLD_AT_ONCE = 10;
/** Alerts on a page: whoever has more has one cause. */
export const ALERTS_SHOWN = 50;
/** Events in the same stretch of each of the two weeks before, from which on a silence is against a source's habit. */
export const HABIT_EVENTS = 10;
/** When no limit is configured (ALERT_BACKLOG_MINUTES). */
export const ALERT_BACKLOG_MINUTES = 15;
/** Events, or audit entries, on one page of what operators read. */
export const PAGE_LIMIT = 200;
export const PAGE_DEFAULT = 50;
/** Of one event's story, the newest: eight attempts an opening, so years of trouble. */
export const STORY_ATTEMPTS_LIMIT = 100;
export const STORY_AUDIT_LIMIT = 100;
/** Of a payload, what a story shows: the whole can be downloaded. */
export const PAYLOAD_SHOWN_BYTES = 256 * 1024;
/** Kinds of dead letters on one page: whoever has more has one kind in many words. */
export const FAILURE_GROUPS_LIMIT = 200;
