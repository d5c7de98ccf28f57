/** What script adds to pages that are whole without it: the viewer's zone, copying, live figures, keys. */
import { showCopies } from "./copy.ts";
import { showFilters } from "./filters.ts";
import { listenToKeys } from "./keys.ts";
import { keepFresh } from "./live.ts";
import { showTimes } from "./times.ts";

document.documentElement.classList.add("has-script");
showTimes(document);
showFilters();
showCopies();
listenToKeys();
keepFresh();
