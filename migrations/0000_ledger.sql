CREATE TABLE "webhook_attempts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_attempts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"source" text NOT NULL,
	"event_id" text NOT NULL,
	"opening" bigint NOT NULL,
	"class" text NOT NULL,
	"phase" text NOT NULL,
	"sqlstate" text,
	"constraint_name" text,
	"message" text NOT NULL,
	"stack" text,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"source" text NOT NULL,
	"event_id" text NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"opening" bigint NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"total_attempts" integer DEFAULT 0 NOT NULL,
	"starts" integer DEFAULT 0 NOT NULL,
	"started_at" timestamp (3) with time zone,
	"replays" integer DEFAULT 0 NOT NULL,
	"duplicates" integer DEFAULT 0 NOT NULL,
	"mismatches" integer DEFAULT 0 NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"occurred_at" timestamp (3) with time zone,
	"settled_at" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"after" text DEFAULT 'none' NOT NULL,
	"after_result" jsonb,
	"after_attempts" integer DEFAULT 0 NOT NULL,
	"digest" text NOT NULL,
	"content_type" text NOT NULL,
	"headers" jsonb NOT NULL,
	"body" "bytea",
	"last_error" text,
	"build" text,
	CONSTRAINT "webhook_events_pkey" PRIMARY KEY("source","event_id"),
	CONSTRAINT "webhook_events_status" CHECK ("webhook_events"."status" in ('pending', 'completed', 'skipped', 'failed')),
	CONSTRAINT "webhook_events_after" CHECK ("webhook_events"."after" in ('none', 'owed', 'done', 'failed'))
);
--> statement-breakpoint
CREATE INDEX "webhook_attempts_event" ON "webhook_attempts" USING btree ("source","event_id","at");--> statement-breakpoint
CREATE INDEX "webhook_events_open" ON "webhook_events" USING btree ("sent_at") WHERE "webhook_events"."status" = 'pending' or "webhook_events"."after" = 'owed';--> statement-breakpoint
CREATE INDEX "webhook_events_bytes" ON "webhook_events" USING btree ("settled_at") WHERE "webhook_events"."status" in ('completed', 'skipped') and "webhook_events"."body" is not null;--> statement-breakpoint
CREATE INDEX "webhook_events_failed" ON "webhook_events" USING btree ("settled_at") WHERE "webhook_events"."status" = 'failed';