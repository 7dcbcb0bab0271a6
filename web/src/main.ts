import { mount } from "svelte";
import App from "./App.svelte";
import "./style/page.css";
import "./style/felt.css";
import "./style/pages.css";

const target = document.getElementById("page");
if (target) mount(App, { target });
