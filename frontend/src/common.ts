// What most pages with islands need, as one file to fetch: build.mjs has every island import it.
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
import "./ui/live-view";
import "./ui/page-head";
import "./ui/progress";
import "./ui/states";
import "./ui/values";
