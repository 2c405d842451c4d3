// What most pages with islands need, as one file to fetch: build.mjs has every island import it. In this order it packs best.
import "react-dom";

import "./features/accounts/signin/confirm-owner"; // shows what the API asks of the user
import "./lib/client";
import "./lib/download";
import "./lib/errors";
import "./lib/format";
import "./lib/query";
import "./lib/url-state";
import "./lib/use-form";
import "./lib/labels";
import "./ui/badge";
import "./ui/button";
import "./ui/data-table/data-table";
import "./ui/field";
import "./ui/form";
import "./ui/lazy-part";
import "./ui/live-view";
import "./ui/page-head";
import "./ui/progress";
import "./ui/states";
import "./ui/term";
import "./ui/values";
import "./ui/form-foot";
import "lucide-react/icons/clock";
import "lucide-react/icons/check";
import "lucide-react/icons/triangle-exclamation-point";
import "lucide-react/icons/loader-circle";
import "./features/validation/analytics/use-overview";
