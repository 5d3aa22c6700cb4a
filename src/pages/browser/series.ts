import { startChart } from './chart.js';

startChart(document);
