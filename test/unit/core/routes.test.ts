/** DESIGN 3.5: exact type beats longest prefix beats `*`; one handler per event. */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { duplicateRoute, findRoute, type Routed } from "../../../src/core/routes.ts";

const on = (type: string, source = "stripe"): Routed => ({ source, type });
const ROUTES = ["*", "customer.*", "customer.subscription.*", "customer.subscription.updated", "charge"].map((type) => on(type));

it.each([
  ["customer.subscription.updated", "customer.subscription.updated"],
  ["customer.subscription.deleted", "customer.subscription.*"],
  ["customer.created", "customer.*"],
  ["charge", "charge"],
  // A prefix ends at a dot.
  ["customer", "*"],
  ["customers.created", "*"],
  ["charge.refunded", "*"],
  ["", "*"],
  // Types are text, not patterns.
  ["customer.*", "customer.*"],
  ["Customer.created", "*"],
])("%j goes to %j", (type, pattern) => expect(findRoute(ROUTES, "stripe", type)?.type).toBe(pattern));

it("another source's routes are not asked", () => {
  expect(findRoute(ROUTES, "github", "charge")).toBeNull();
  expect(findRoute([...ROUTES, on("*", "github")], "github", "charge")).toEqual(on("*", "github"));
});

it("no route is an answer", () => {
  expect(findRoute([], "stripe", "charge")).toBeNull();
  expect(findRoute([on("customer.*")], "stripe", "charge")).toBeNull();
});

it("the order in which routes are written does not matter", () => {
  const types = fc.constantFrom("customer.subscription.updated", "customer.subscription.x", "customer.x", "charge", "else");
  fc.assert(
    fc.property(fc.shuffledSubarray(ROUTES, { minLength: ROUTES.length }), types, (shuffled, type) => {
      expect(findRoute(shuffled, "stripe", type)).toBe(findRoute(ROUTES, "stripe", type));
    }),
  );
});

it("finds the second of two routes for one type: it would never run", () => {
  const second = on("customer.*");
  expect(duplicateRoute([...ROUTES, second])).toBe(second);
  expect(duplicateRoute(ROUTES)).toBeNull();
  expect(duplicateRoute([...ROUTES, ...ROUTES.map(({ type }) => on(type, "stripe-eu"))])).toBeNull();
});

it("a source and a type that run together are not the same as two others", () => {
  expect(duplicateRoute([on('b","c', "a"), on("c", 'a","b')])).toBeNull();
});
