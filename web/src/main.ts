import { mount } from "svelte";
import App from "./App.svelte";
import { speech } from "./text/text.svelte";
import "./style/page.css";
import "./style/felt.css";
import "./style/pages.css";

const target = document.getElementById("page");
if (target) void speech.begin().then(() => mount(App, { target }));

// It keeps nothing but the page that says that the house is away.
if (import.meta.env.PROD) navigator.serviceWorker?.register("/away.js").catch(() => {});
