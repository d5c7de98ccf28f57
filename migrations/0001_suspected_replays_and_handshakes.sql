CREATE TABLE "webhook_handshakes" (
	"source" text NOT NULL,
	"secret" text NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "webhook_handshakes_pkey" PRIMARY KEY("source","secret"),
	CONSTRAINT "webhook_handshakes_secret" CHECK (octet_length("webhook_handshakes"."secret") between 1 and 2048)
);
--> statement-breakpoint
ALTER TABLE "webhook_events" ADD COLUMN "suspected_replay_of" text;--> statement-breakpoint
CREATE INDEX "webhook_events_digest" ON "webhook_events" USING btree ("source","digest","received_at");