CREATE TABLE "webhook_alerts" (
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"told_at" timestamp (3) with time zone,
	"closed_at" timestamp (3) with time zone,
	"close_told_at" timestamp (3) with time zone,
	"details" jsonb NOT NULL,
	CONSTRAINT "webhook_alerts_pkey" PRIMARY KEY("kind","key")
);
--> statement-breakpoint
CREATE TABLE "webhook_audit" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"source" text,
	"event_id" text,
	"details" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_hours" (
	"hour" timestamp (3) with time zone NOT NULL,
	"source" text NOT NULL,
	"received" integer NOT NULL,
	"completed" integer NOT NULL,
	"skipped" integer NOT NULL,
	"failed" integer NOT NULL,
	"p50_ms" integer,
	"p95_ms" integer,
	"p99_ms" integer,
	CONSTRAINT "webhook_hours_pkey" PRIMARY KEY("hour","source")
);
--> statement-breakpoint
CREATE TABLE "webhook_replays" (
	"id" text PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"actor" text NOT NULL,
	"reason" text,
	"filter" jsonb NOT NULL,
	"with_permanent" boolean NOT NULL,
	"rate_per_second" integer NOT NULL,
	"row_limit" integer NOT NULL,
	"matched" integer NOT NULL,
	"will_replay" integer NOT NULL,
	"replayed" integer DEFAULT 0 NOT NULL,
	"status" text NOT NULL,
	"opening" bigint NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"last_error" text,
	CONSTRAINT "webhook_replays_status" CHECK ("webhook_replays"."status" in ('running', 'completed', 'cancelled'))
);
--> statement-breakpoint
ALTER TABLE "webhook_events" ADD COLUMN "fingerprint" text;--> statement-breakpoint
CREATE INDEX "webhook_audit_event" ON "webhook_audit" USING btree ("source","event_id","id");--> statement-breakpoint
CREATE INDEX "webhook_audit_replay" ON "webhook_audit" USING btree (("details" ->> 'replay')) WHERE "webhook_audit"."action" = 'replay' and "webhook_audit"."details" ->> 'replay' is not null;--> statement-breakpoint
CREATE INDEX "webhook_replays_started" ON "webhook_replays" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "webhook_events_received" ON "webhook_events" USING btree ("received_at","source");--> statement-breakpoint
CREATE INDEX "webhook_events_source" ON "webhook_events" USING btree ("source","received_at");--> statement-breakpoint
CREATE INDEX "webhook_events_type" ON "webhook_events" USING btree ("type","received_at","source");--> statement-breakpoint
CREATE INDEX "webhook_events_unusual" ON "webhook_events" USING btree ("status","received_at","source") WHERE "webhook_events"."status" in ('pending', 'skipped', 'failed');--> statement-breakpoint
CREATE INDEX "webhook_events_id" ON "webhook_events" USING btree ("event_id" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "webhook_events_fingerprint" ON "webhook_events" USING btree ("fingerprint","received_at","source","type","status","reason","settled_at") WHERE "webhook_events"."fingerprint" is not null;--> statement-breakpoint
CREATE INDEX "webhook_events_settled" ON "webhook_events" USING btree ("settled_at");--> statement-breakpoint
CREATE INDEX "webhook_events_after_failed" ON "webhook_events" USING btree ("received_at","source") WHERE "webhook_events"."after" = 'failed';